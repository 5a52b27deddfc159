/** Pages, pictures, comparing. */
export const viewer = {
  'viewer.zoom.in': 'Zoom in',
} as const;
