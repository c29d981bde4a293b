// Small helpers for building HTML.

export const $ = (id) => document.getElementById(id);

/** An element with properties (class, text, data-…; functions become listeners) and children. */
export function el(name, properties = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(properties)) {
    if (value === null || value === undefined || value === false) continue;
    if (typeof value === "function") element.addEventListener(key.slice(2), value);
    else if (key === "text") element.textContent = value;
    else element.setAttribute(key, value === true ? "" : value);
  }
  element.append(...children);
  return element;
}

/** Puts children in place of the old ones only when `key` changed, so focus and scrolling are kept. */
export function fill(element, key, children) {
  const text = JSON.stringify(key);
  if (element.filledWith === text) return;
  element.filledWith = text;
  element.replaceChildren(...children());
}
