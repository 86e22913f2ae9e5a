// Line icons, 20 x 20, in the colour of the text around them.
const paths = {
  add: 'M10 4v12M4 10h12',
  back: 'm12 4-6 6 6 6',
  check: 'm4 10.5 4 4 8-9',
  clock: 'M10 3a7 7 0 1 0 0 14 7 7 0 0 0 0-14Zm0 3.5V10l2.5 2',
  close: 'm5 5 10 10M15 5 5 15',
  copy: 'M7 7h9v9H7zM13 7V4H4v9h3',
  cross: 'm5 5 10 10M15 5 5 15',
  cut: 'M10 3.5 18 17H2Zm0 5v4m0 2v.5',
  down: 'm5 8 5 5 5-5',
  download: 'M10 3v9m-4-4 4 4 4-4M4 16h12',
  drop: 'M10 13V4m-4 4 4-4 4 4M3.5 12v4h13v-4',
  eye: 'M2 10s3-5.5 8-5.5S18 10 18 10s-3 5.5-8 5.5S2 10 2 10Zm8-2.2a2.2 2.2 0 1 0 0 4.4 2.2 2.2 0 0 0 0-4.4Z',
  filter: 'M3 4h14l-5.5 7v5l-3-1.5V11Z',
  full: 'M3 7V3h4m6 0h4v4m0 6v4h-4m-6 0H3v-4',
  history: 'M4 4v4h4M4.3 8A6.5 6.5 0 1 1 3.6 11M10 6.5V10l2.5 1.5',
  institution: 'M3 8 10 4l7 4v1H3Zm2 2v5m3.3-5v5m3.4-5v5M15 10v5M3 16.5h14',
  link: 'M5.5 12.5a2 2 0 1 0 0 4 2 2 0 0 0 0-4Zm9-9a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM7 13l6-6',
  list: 'M7 5h10M7 10h10M7 15h10M3 5h.5M3 10h.5M3 15h.5',
  map: 'm3 5 5-2 4 2 5-2v12l-5 2-4-2-5 2Zm5-2v12m4-10v12',
  menu: 'M3 5h14M3 10h14M3 15h14',
  moon: 'M16 12A6.5 6.5 0 0 1 8 4a6.5 6.5 0 1 0 8 8Z',
  next: 'm8 4 6 6-6 6',
  node: 'M10 6.5a3.5 3.5 0 1 0 0 7 3.5 3.5 0 0 0 0-7Z',
  pause: 'M6.5 4v12m7-12v12',
  people: 'M8 9.5a3 3 0 1 0 0-6 3 3 0 0 0 0 6Zm-5.5 7c0-3 2.5-5 5.5-5s5.5 2 5.5 5M13 4a3 3 0 0 1 0 5.500M15 12c1.600.7 2.500 2.300 2.500 4.500',
  pin: 'M7 3h6l-.7 5.500 3.200 3H4.500l3.200-3ZM10 11.500V17',
  play: 'M6 4v12l10-6Z',
  plug: 'M7 3v4m6-4v4M5 7h10v3a5 5 0 0 1-10 0Zm5 8v3',
  publish: 'M5 3h7l3 3v11H5Zm3 8 2-2 2 2m-2-2v5',
  refresh: 'M16 8a6.500 6.500 0 1 0 .5 3.500M16.500 4v4h-4',
  rules: 'M4 5h6m4 0h2M4 10h2m4 0h6M4 15h8m4 0h0M12 3v4M8 8v4m6 1v4',
  search: 'M9 3.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11Zm4 9.500 4 4',
  settings: 'M3 6h8m4 0h2M3 14h2m4 0h8M13 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4ZM7 12a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z',
  star: 'm10 3 2.100 4.700 5 .5-3.800 3.400 1.100 5L10 14l-4.400 2.600 1.100-5L2.900 8.200l5-.5Z',
  sun: 'M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7ZM10 2v1.500m0 13V18M2 10h1.500m13 0H18M4.500 4.500l1 1m9 9 1 1m0-11-1 1m-9 9-1 1',
  tag: 'M3 3h7l7 7-7 7-7-7Zm3.500 3.500h.2',
  token: 'M7 9a4 4 0 1 0 0 8 4 4 0 0 0 0-8Zm3 1.500L17 3.500m-4 4 2.500 2.500',
  topology: 'M10 3v4M5 13V10h10v3M10 7v3M8 3h4v4H8ZM3 13h4v4H3Zm10 0h4v4h-4Z',
  trash: 'M4 6h12M8 6V4h4v2M5.500 6l.7 10.500h7.600L14.500 6M8.500 9v5m3-5v5',
  undo: 'M7 4 3 8l4 4M3.500 8H12a4.500 4.500 0 0 1 0 9H8',
  vector: 'M3 4h4v4H3Zm10 8h4v4h-4ZM7 6c6 0 2 8 6 8',
  zoom: 'M9 3.500a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11Zm4 9.500 4 4M6.500 9h5M9 6.500v5',
} as const;

export type IconName = keyof typeof paths;

export function Icon({ name, label }: { name: IconName; label?: string }) {
  return (
    <svg class="icon" viewBox="0 0 20 20" aria-hidden={label ? undefined : 'true'}
      role={label ? 'img' : undefined} aria-label={label}>
      <path d={paths[name]} />
    </svg>
  );
}
