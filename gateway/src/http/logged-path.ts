/** The path of a request without its query, and without tokens: ids are shorter than they. */
export const loggedPath = (url: string): string =>
  (url.split('?')[0] ?? '').replaceAll(/[\w-]{40,}/g, '[token]')
