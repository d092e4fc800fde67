// The page's icons: strokes on a field of 16 by 16, in the colour of the text around. They only repeat what a name says, so they are
// hidden from readers of the screen.
import "./icon.css";

const paths = {
  chat: "M2 3h12v8H7l-3 3v-3H2z",
  trace: "M2 4h5M2 8h12M2 12h8M10 4h4",
  agents: "M4 6h8v7H4zM8 6V3M6.5 9v1M9.5 9v1M2 9v2M14 9v2",
  files: "M2 4h4l2 2h6v7H2z",
  config: "M2 5h6M12 5h2M2 11h2M8 11h6M10 3v4M6 9v4",
  file: "M4 2h5l3 3v9H4zM9 2v3h3",
  "new-file": "M12 8V5L9 2H4v12h4M9 2v3h3M12 10.5v5M9.5 13h5",
  "new-folder": "M14 9V6H8L6 4H2v9h6M12 10.5v5M9.5 13h5",
  archive: "M2 3h12v3H2zM3 6v7h10V6M6.5 9h3",
  upload: "M8 10V2M5 5l3-3 3 3M3 13h10",
  "to-folder": "M13 8H3M7 4L3 8l4 4",
  log: "M4 2h8v12H4zM6 5h4M6 8h4M6 11h2",
  new: "M8 3v10M3 8h10",
  attach: "M12.5 7L7.6 11.9a2.3 2.3 0 0 1-3.3-3.3l5.2-5.1a1.6 1.6 0 0 1 2.2 2.2L6.6 10.8",
  send: "M8 13V3M4 7l4-4 4 4",
  stop: "M4 4h8v8H4z",
  copy: "M6 6h8v8H6zM3 10H2V2h8v1",
  check: "M3 8.5l3.5 3.5L13 4.5",
  cross: "M4 4l8 8M12 4l-8 8",
  warn: "M8 2l6.5 12h-13zM8 6.5v3.5M8 12v.2",
  question: "M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.2 8.7 8 9 8 10M8 12.5v.2",
  lock: "M3.5 7.5h9V14h-9zM5.5 7.5V5a2.5 2.5 0 0 1 5 0v2.5",
  read: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM8 6.5a1.5 1.5 0 1 0 0 3 1.5 1.5 0 0 0 0-3z",
  hide: "M1.5 8S4 3.5 8 3.5 14.5 8 14.5 8 12 12.5 8 12.5 1.5 8 1.5 8zM3 13L13 3",
  edit: "M3 13l.7-3L11 2.7l2.3 2.3L6 12.3zM9.5 4.2l2.3 2.3",
  delete: "M3 4.5h10M6 4.5V3h4v1.5M4.5 4.5L5 13.5h6l.5-9M7 7v4M9 7v4",
  move: "M2 8h11M10 5l3 3-3 3M2 4v8",
  search: "M7 3a4 4 0 1 0 0 8 4 4 0 0 0 0-8zM10 10l3.5 3.5",
  execute: "M2 3h12v10H2zM4.5 6l2 2-2 2M8.5 10h3",
  think: "M6 13h4M6.5 11C6.5 9 4 8.5 4 6a4 4 0 0 1 8 0c0 2.5-2.5 3-2.5 5z",
  fetch: "M8 2v8M5 7l3 3 3-3M3 13h10",
  switch_mode: "M3 5h9M9.5 2.5L12 5 9.5 7.5M13 11H4M6.5 8.5L4 11l2.5 2.5",
  other: "M8 2.5l5.5 5.5L8 13.5 2.5 8z",
  "chevron-left": "M10 3.5L5.5 8 10 12.5",
  "chevron-right": "M6 3.5L10.5 8 6 12.5",
  "chevron-down": "M3.5 6L8 10.5 12.5 6",
  sun: "M8 5a3 3 0 1 0 0 6 3 3 0 0 0 0-6zM8 1v1.5M8 13.5V15M1 8h1.5M13.5 8H15M3 3l1 1M12 12l1 1M13 3l-1 1M4 12l-1 1",
  moon: "M13 9.5A5.5 5.5 0 0 1 6.5 3a5.5 5.5 0 1 0 6.5 6.5z",
  system: "M2 3h12v8H2zM6 14h4M8 11v3",
  contrast: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 2.5v11M9.5 4v8M11 5v6M12.5 6.5v3",
  keyboard: "M1.5 4h13v8h-13zM4 7v.1M6.7 7v.1M9.3 7v.1M12 7v.1M5 9.7h6",
  close: "M4 4l8 8M12 4l-8 8",
  external: "M6 3H3v10h10v-3M9 3h4v4M13 3L7.5 8.5",
  thought: "M5 11a3 3 0 0 1-.5-5.9A4 4 0 0 1 12 6a2.5 2.5 0 0 1-.5 5zM5 13.5v.1M8 13.5v.1M11 13.5v.1",
  user: "M8 2.5a2.5 2.5 0 1 0 0 5 2.5 2.5 0 0 0 0-5zM3 14c0-3 2-4.5 5-4.5s5 1.5 5 4.5",
  agent: "M3.5 5.5h9v7h-9zM8 5.5v-3M6.3 8.5v1M9.7 8.5v1M6.5 14.5h3",
  plan: "M2 4l1 1 2-2M2 9l1 1 2-2M7.5 4H14M7.5 9H14M3 13h.1M7.5 13H14",
  clock: "M8 2.5a5.5 5.5 0 1 0 0 11 5.5 5.5 0 0 0 0-11zM8 5v3l2 1.5",
  down: "M8 3v10M4 9l4 4 4-4",
  link: "M7 9a2.5 2.5 0 0 0 3.6 0l2.2-2.2a2.5 2.5 0 0 0-3.6-3.6L8.5 4M9 7a2.5 2.5 0 0 0-3.6 0L3.2 9.2a2.5 2.5 0 0 0 3.6 3.6L7.5 12",
  retry: "M13 8a5 5 0 1 1-1.5-3.5L13 6M13 2.5V6H9.5",
  panel: "M2 3h12v10H2zM10 3v10",
  more: "M3.5 8v.1M8 8v.1M12.5 8v.1",
  wrap: "M2 4h12M2 8h9a2.2 2.2 0 0 1 0 4.4H8M10 10.2l-2.2 2.2L10 14.6M2 12.4h3",
  spinner: "M8 2.5A5.5 5.5 0 1 1 2.5 8",
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg
      class={name === "spinner" ? "icon icon-spinner" : "icon"}
      width="16"
      height="16"
      viewBox="0 0 16 16"
      fill="none"
      stroke="currentColor"
      stroke-width="1.5"
      stroke-linecap="round"
      stroke-linejoin="round"
      aria-hidden="true"
      focusable="false"
    >
      <path d={paths[name]} />
    </svg>
  );
}
