// The clip of a play: its pictures one after the other, over and over.

const PACE = 180, PAUSE = 900; // ms a picture is shown, and the last one

export class Clip {
  constructor(image, instead) {
    Object.assign(this, { image, instead, turn: null, pictures: [], timer: 0 });
  }

  /** Shows a turn's clip; `number` changes when the turn lies elsewhere in the video now. */
  async show(turn, number) {
    const wanted = `${turn}/${number}`;
    if (wanted === this.turn) return;
    this.turn = wanted;
    this.forget();
    for (let n = 0, count = 1; n < count && this.turn === wanted; n++) {
      const answer = await fetch(`/clip/${turn}/${n}`).catch(() => null);
      if (!answer?.ok) break;
      count = Number(answer.headers.get("X-Pictures"));
      const url = URL.createObjectURL(await answer.blob());
      if (this.turn === wanted) this.add(url);
      else URL.revokeObjectURL(url);
    }
  }

  add(url) {
    this.pictures.push(url);
    if (this.pictures.length === 1) this.play(0);
  }

  play(n) {
    this.image.src = this.pictures[n];
    this.image.hidden = false;
    this.instead.hidden = true;
    const last = n === this.pictures.length - 1;
    this.timer = setTimeout(() => this.pictures.length && this.play(last ? 0 : n + 1), last ? PAUSE : PACE);
  }

  forget() {
    clearTimeout(this.timer);
    this.pictures.forEach((url) => URL.revokeObjectURL(url));
    this.pictures = [];
    this.image.hidden = true;
    this.instead.hidden = false;
  }
}
