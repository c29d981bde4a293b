// The line to the referee: snapshots come in over a websocket, commands go out as requests with the token.

const token = takeToken();

/** The token comes behind the # of the link; it is kept for this tab and taken out of the address. */
function takeToken() {
  const given = new URLSearchParams(location.hash.slice(1)).get("token");
  if (given) {
    sessionStorage.setItem("token", given);
    history.replaceState(null, "", location.pathname + location.search);
  }
  return sessionStorage.getItem("token") ?? "";
}

const authorised = () => (token ? { Authorization: `Bearer ${token}` } : {});

/** Whether this page may control the game. */
export async function mayControl() {
  return token !== "" && (await fetch("/api/control", { headers: authorised() })).ok;
}

/** Posts a body as JSON; throws an Error with Kibitz's own words when it is refused. */
export async function post(path, body) {
  const headers = { "Content-Type": "application/json", ...authorised() };
  const answer = await fetch(path, { method: "POST", headers, body: JSON.stringify(body) });
  if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.error ?? answer.statusText);
  return answer.json();
}

/** Sends a command to the referee. */
export const send = (command) => post("/api/command", command);

/** Fetches a file that needs the token and offers it for saving. */
export async function download(path, name) {
  const answer = await fetch(path, { headers: authorised() });
  if (!answer.ok) throw new Error((await answer.json().catch(() => null))?.error ?? answer.statusText);
  const link = document.createElement("a");
  link.href = URL.createObjectURL(await answer.blob());
  link.download = /filename="(.+)"/.exec(answer.headers.get("Content-Disposition") ?? "")?.[1] ?? name;
  link.click();
  setTimeout(() => URL.revokeObjectURL(link.href), 1000);
}

export function socketUrl(path) {
  return `${location.protocol === "https:" ? "wss" : "ws"}://${location.host}${path}`;
}

export const socketToken = () => token;

/** Keeps a socket open; `onMessage(parsed)` for each message, `onState(connected)` when that changes. */
export function listen(onMessage, onState, pause = 500) {
  const socket = new WebSocket(socketUrl("/ws"));
  socket.onopen = () => { pause = 500; onState(true); };
  socket.onmessage = (event) => onMessage(JSON.parse(event.data));
  socket.onclose = () => {
    onState(false);
    setTimeout(() => listen(onMessage, onState, Math.min(pause * 2, 10000)), pause);
  };
}
