const pathCharsMax = 2000
/** The sign-in page. Signed-in users without another target come here and see their username. */
export const signInPath = '/sign-in/'

/** Returns a path of this site unchanged, and the sign-in page for anything else (no open redirects). */
export function pathOf(text: string | undefined): string {
  return text !== undefined && isPath(text) ? text : signInPath
}

/** Browsers take `//` and `/\` for the start of a host, and strip control characters before that. */
const isPath = (text: string) =>
  text.length <= pathCharsMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\')

/** The address of the sign-in page that redirects to `path` afterwards. */
export const signInFor = (path: string): string =>
  `${signInPath}?next=${encodeURIComponent(pathOf(path))}`
