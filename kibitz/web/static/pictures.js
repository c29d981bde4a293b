// The camera picture. Each spectator asks for the next picture when the last one has been shown, so a slow
// line gets fewer of them and never a queue.

const FASTEST = 120; // ms between pictures

export class Pictures {
  constructor(image, instead) {
    this.image = image;
    this.instead = instead; // shown while there is no picture
    this.wanted = null;
    this.shown = null;
    this.busy = false;
  }

  /** Shows picture `kind` ("overlay", "plain", "turn/12"); `number` tells a newer one from an older one. */
  async show(kind, number) {
    this.wanted = `/picture/${kind}?n=${number}`;
    if (this.busy) return;
    this.busy = true;
    while (this.wanted !== this.shown) {
      this.shown = this.wanted;
      await this.fetch(this.wanted);
      await new Promise((done) => setTimeout(done, FASTEST));
    }
    this.busy = false;
  }

  async fetch(path) {
    const answer = await fetch(path).catch(() => null);
    if (answer?.status !== 200) return;
    const url = URL.createObjectURL(await answer.blob());
    const old = this.image.src;
    this.image.src = url;
    await this.image.decode().catch(() => {});
    this.image.hidden = false;
    this.instead.hidden = true;
    if (old.startsWith("blob:")) URL.revokeObjectURL(old);
  }
}
