/** The drawings of the console: strokes in a square of 16. */
const strokes = {
  alert: 'M8 2.8 13.8 13H2.2zM8 6.8v2.7M8 11.3h.01',
  attach: 'm12.8 7.4-5 5a3 3 0 0 1-4.2-4.2l5.2-5.2a2 2 0 0 1 2.8 2.8l-5 5a1 1 0 0 1-1.4-1.4l4.6-4.6',
  box: 'M2.5 5.2 8 2.4l5.5 2.8v5.6L8 13.6l-5.5-2.8zM2.5 5.2 8 8l5.5-2.8M8 8v5.6',
  check: 'm3.5 8.5 3 3 6-7',
  close: 'm4 4 8 8M12 4l-8 8',
  code: 'M5.5 4.5 2 8l3.5 3.5M10.5 4.5 14 8l-3.5 3.5',
  copy: 'M7 5.5h5a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1 -1.5 1.5h-5a1.5 1.5 0 0 1 -1.5 -1.5v-5a1.5 1.5 0 0 1 1.5 -1.5zM3.5 10.5a1 1 0 0 1-1-1v-6a1 1 0 0 1 1-1h6a1 1 0 0 1 1 1',
  delete: 'M3 4.5h10M6.5 4.5V3h3v1.5M4.5 4.5l.5 8.5h6l.5-8.5',
  down: 'm4 6 4 4 4-4',
  falls: 'M8 3v10M4.5 9.5 8 13l3.5-3.5',
  filter: 'M2.5 4.5h11M4.5 8h7M6.5 11.5h3',
  fork: 'M3 3.8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0 -3 0zM10 3.8a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0 -3 0zM6.5 12.2a1.5 1.5 0 1 0 3 0 1.5 1.5 0 1 0 -3 0zM4.5 5.3v.7a2 2 0 0 0 2 2h3a2 2 0 0 0 2-2v-.7M8 8v2.7',
  globe:
    'M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0 -11 0zM2.5 8h11M8 2.5c2.3 2.4 2.3 8.6 0 11M8 2.5c-2.3 2.4-2.3 8.6 0 11',
  image:
    'M4 3h8a1.5 1.5 0 0 1 1.5 1.5v7a1.5 1.5 0 0 1 -1.5 1.5h-8a1.5 1.5 0 0 1 -1.5 -1.5v-7a1.5 1.5 0 0 1 1.5 -1.5zM5 6.3a1 1 0 1 0 2 0 1 1 0 1 0 -2 0zM3 11.5l3.2-3 2.2 2 2-1.8 3 2.8',
  inbox:
    'M2.5 9.5 4.2 4a1 1 0 0 1 1-.7h5.6a1 1 0 0 1 1 .7l1.7 5.5v2.7a1 1 0 0 1-1 1h-9a1 1 0 0 1-1-1zM2.5 9.5h3.2l.8 1.5h3l.8-1.5h3.2',
  keys: 'M3.3 4h9.4a1.5 1.5 0 0 1 1.5 1.5v5a1.5 1.5 0 0 1 -1.5 1.5h-9.4a1.5 1.5 0 0 1 -1.5 -1.5v-5a1.5 1.5 0 0 1 1.5 -1.5zM4.5 6.6h.01M6.8 6.6h.01M9.2 6.6h.01M11.5 6.6h.01M5.5 9.5h5',
  left: 'M10 3.5 5.5 8l4.5 4.5',
  mail: 'M3.5 3.5h9a1.5 1.5 0 0 1 1.5 1.5v6a1.5 1.5 0 0 1 -1.5 1.5h-9a1.5 1.5 0 0 1 -1.5 -1.5v-6a1.5 1.5 0 0 1 1.5 -1.5zM2.6 4.6 8 8.8l5.4-4.2',
  minus: 'M3.5 8h9',
  more: 'M3.5 8h.01M8 8h.01M12.5 8h.01',
  next: 'M11.5 4v8',
  page: 'M4.5 2.3h4.8L12 5v7.7a1 1 0 0 1-1 1H4.5a1 1 0 0 1-1-1V3.3a1 1 0 0 1 1-1zM9 2.5V5.3h3',
  pause: 'M5.5 3.5v9M10.5 3.5v9',
  person: 'M5.2 5.3a2.8 2.8 0 1 0 5.6 0 2.8 2.8 0 1 0-5.6 0zM2.8 13.5a5.3 5.3 0 0 1 10.4 0',
  plan: 'm2.5 4.5 1.2 1.2 2-2.2M2.5 11l1.2 1.2 2-2.2M8.5 4.7h5M8.5 11.2h5',
  play: '',
  plus: 'M8 3v10M3 8h10',
  previous: 'M4.5 4v8',
  refund: 'M5.5 3 2.5 6l3 3M2.5 6h7.3a3.5 3.5 0 0 1 0 7H6',
  rename: 'm10.5 3 2.5 2.5-7.3 7.3-3 .5.5-3z',
  replan: 'M3.2 6.8A5 5 0 0 1 12 5l1.2 1.2M13.3 3v3.2h-3.2M12.8 9.2A5 5 0 0 1 4 11L2.8 9.8M2.7 13V9.8h3.2',
  right: 'm6 3.5 4.5 4.5L6 12.5',
  rises: 'M8 13V3M4.5 6.5 8 3l3.5 3.5',
  save: 'M8 2.5v7M4.9 6.6 8 9.7l3.1-3.1M3 12.5v.5a.5.5 0 0 0 .5.5h9a.5.5 0 0 0 .5-.5v-.5',
  search: 'M3 7a4 4 0 1 0 8 0 4 4 0 1 0 -8 0zM10 10l3.5 3.5',
  send: 'M8 13V3.5M4 7.3l4-4 4 4',
  sessions:
    'M3.5 3h9a1 1 0 0 1 1 1v6a1 1 0 0 1-1 1H7.2L4.5 13.3V11h-1a1 1 0 0 1-1-1V4a1 1 0 0 1 1-1zM5.5 6h5M5.5 8.2h3',
  share: 'M8 9.5v-7M5.2 5 8 2.3 10.8 5M3 8.5v4a1 1 0 0 0 1 1h8a1 1 0 0 0 1-1v-4',
  stop: '',
  system:
    'M2.5 5h5.2M11.8 5h1.7M2.5 11h1.7M8.3 11h5.2M7.8 5a2 2 0 1 0 4 0 2 2 0 1 0 -4 0zM4.2 11a2 2 0 1 0 4 0 2 2 0 1 0 -4 0z',
  theme: 'M2.5 8a5.5 5.5 0 1 0 11 0 5.5 5.5 0 1 0 -11 0z',
  think: 'M3 4.5h10M3 8h7.5M3 11.5h4.5',
  'thumb-down':
    'M11 8.8 8.7 13.3c-1 0-1.7-.8-1.5-1.8l.3-1.8H3.9a1.2 1.2 0 0 1-1.2-1.5l.9-4a1.2 1.2 0 0 1 1.2-.9H11zM11 8.8h2.3V3.3H11',
  'thumb-up':
    'M5 7.2 7.3 2.7c1 0 1.7.8 1.5 1.8L8.5 6.3h3.6a1.2 1.2 0 0 1 1.2 1.5l-.9 4a1.2 1.2 0 0 1-1.2.9H5zM5 7.2H2.7v5.5H5',
  traces: 'M2.5 8.5h2.3l1.7-4.5 2.8 8.2 1.8-3.7h2.4',
  ways: 'M2.5 8h3.5M6 8c3 0 2-4 5-4h2.5M6 8c3 0 2 4 5 4h2.5M6 8h7.5',
  whole: 'M3 6V4a1 1 0 0 1 1-1h2M10 3h2a1 1 0 0 1 1 1v2M13 10v2a1 1 0 0 1-1 1h-2M6 13H4a1 1 0 0 1-1-1v-2',
} as const;

/** The parts of some of them that are filled. */
const filled: Partial<Record<IconName, string>> = {
  next: 'M4.5 4v8L10 8z',
  play: 'm5 3.5 7 4.5-7 4.5z',
  previous: 'M11.5 4v8L6 8z',
  stop: 'M5.5 4.5h5a1 1 0 0 1 1 1v5a1 1 0 0 1 -1 1h-5a1 1 0 0 1 -1 -1v-5a1 1 0 0 1 1 -1z',
  theme: 'M8 2.5a5.5 5.5 0 0 1 0 11z',
};

export type IconName = keyof typeof strokes;

/** A small drawing that repeats the words beside it, or its button's label. */
export const Icon = ({ name, class: more }: { name: IconName; class?: string | undefined }) => (
  <svg
    class={`icon ${more ?? ''}`}
    viewBox="0 0 16 16"
    fill="none"
    stroke="currentColor"
    stroke-width={name === 'more' ? 2.2 : 1.5}
    stroke-linecap="round"
    stroke-linejoin="round"
    aria-hidden="true"
  >
    {filled[name] !== undefined && <path d={filled[name]} fill="currentColor" />}
    <path d={strokes[name]} />
  </svg>
);
