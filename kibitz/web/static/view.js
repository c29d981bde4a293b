// From a snapshot to what the board shows; no document, no network.

/** What lies on the table as far as anybody knows: as seen, and where it cannot be seen, as it should be. */
export function lying(board) {
  if (!board.seen) return board.table;
  return board.seen.map((n, place) => (board.unseen.includes(place) ? board.table[place] : n));
}

const KINDS = { illegal: "illegal", ambiguous: "ask", warning: "ask", accepted: "to" };
const COMPARED = ["wrong_start", "lost"];

/** {place: {kind, sign}}: what is marked on the board. */
export function marks(snapshot) {
  const found = {}, { banner, board } = snapshot;
  for (const place of board.unseen) if (place < 26) found[place] = { kind: "unseen", sign: "?" };
  if (COMPARED.includes(banner.kind)) for (const [place, expected, seen] of board.difference) found[place] = wanted(expected, seen);
  else for (const place of banner.places) if (KINDS[banner.kind]) found[place] = { kind: KINDS[banner.kind], sign: SIGNS[banner.kind] };
  return found;
}

const SIGNS = { illegal: "!", ambiguous: "?", warning: "!" };

/** Blue and + where checkers are to be put, red and − where they are to be taken away. */
function wanted(expected, seen) {
  const more = Math.abs(expected) - (Math.sign(expected) === Math.sign(seen) ? Math.abs(seen) : 0);
  if (expected && more > 0) return { kind: "put", sign: `+${more}` };
  return { kind: "differs", sign: `−${Math.abs(seen - expected)}` };
}

/** Pips that a side has to go, by its own numbers of the points. */
export function pips(table, numbers, side) {
  const sign = side === 0 ? 1 : -1;
  const onPoints = numbers[side].reduce((sum, n, place) => sum + n * Math.max(0, sign * table[place]), 0);
  return onPoints + 25 * Math.abs(table[24 + side]);
}

/** Seconds left on a side's clock at session time `now`. */
export function left(clock, side, now) {
  const gone = clock.running === side ? Math.max(0, now - clock.at - clock.delay) : 0;
  return Math.max(0, clock.left[side] - gone);
}

export function clockText(seconds) {
  const whole = Math.ceil(seconds), minutes = Math.floor(whole / 60);
  return `${minutes}:${String(whole % 60).padStart(2, "0")}`;
}

const TONES = { accepted: "good", illegal: "wrong", lost: "wrong", no_sight: "wrong", wrong_start: "hint", ambiguous: "ask", warning: "ask", doubled: "ask", searching: "hint", adjourned: "hint" };
const BANNER_SIGNS = { accepted: "✓", illegal: "!", lost: "≠", no_sight: "⊘", wrong_start: "↓", ambiguous: "?", warning: "!", doubled: "?", searching: "…", adjourned: "❚❚", over: "★", ready: "→", rolled: "→", incomplete: "…" };

export const tone = (kind) => TONES[kind] ?? "";
export const sign = (kind) => BANNER_SIGNS[kind] ?? "•";
