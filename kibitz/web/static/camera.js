// The phone as the referee's camera: one JPEG at a time, the next when the last has arrived.

import { $ } from "./html.js";
import { socketToken, socketUrl } from "./link.js";
import { translate, word } from "./words.js";

const LONGER_SIDE = 1280, QUALITY = 0.85, FASTEST = 66; // pixels, JPEG quality, ms between pictures
const canvas = document.createElement("canvas");
let stream = null, socket = null, lock = null, sent = 0;

const tell = (key, values) => ($("state").textContent = word(key, values));

async function start() {
  if (!navigator.mediaDevices) return tell("phone.https");
  try {
    stream = await navigator.mediaDevices.getUserMedia({ audio: false, video: { facingMode: "environment", width: { ideal: 1280 }, height: { ideal: 720 } } });
  } catch (error) {
    return tell("phone.refused", { why: error.message });
  }
  $("video").srcObject = stream;
  await $("video").play();
  lock = await navigator.wakeLock?.request("screen").catch(() => null);
  running(true);
  connect();
}

function connect() {
  socket = new WebSocket(socketUrl("/camera/ws"));
  socket.onopen = () => socket.send(socketToken());
  socket.onmessage = () => setTimeout(sendFrame, FASTEST);
  socket.onclose = (event) => {
    tell("phone.lost", { why: event.reason });
    if (stream && event.code !== 1008) setTimeout(connect, 1000);
  };
}

async function sendFrame() {
  const video = $("video"), scale = Math.min(1, LONGER_SIDE / Math.max(video.videoWidth, video.videoHeight));
  canvas.width = Math.round(video.videoWidth * scale);
  canvas.height = Math.round(video.videoHeight * scale);
  canvas.getContext("2d").drawImage(video, 0, 0, canvas.width, canvas.height);
  const jpeg = await new Promise((done) => canvas.toBlob(done, "image/jpeg", QUALITY));
  if (socket?.readyState !== WebSocket.OPEN || !jpeg) return;
  socket.send(jpeg);
  tell("phone.sending", { n: ++sent });
}

function stop() {
  stream?.getTracks().forEach((track) => track.stop());
  stream = null;
  socket?.close();
  lock?.release();
  running(false);
}

function running(on) {
  $("start").hidden = on;
  $("stop").hidden = !on;
}

translate();
$("start").onclick = start;
$("stop").onclick = stop;
