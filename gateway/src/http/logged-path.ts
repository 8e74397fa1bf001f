/** The path of a request without its query and tokens, which are longer than ids. */
export const loggedPath = (url: string): string =>
  (url.split('?')[0] ?? '').replaceAll(/[\w-]{40,}/g, '[token]')
