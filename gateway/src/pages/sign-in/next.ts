const pathCharsMax = 2000
/** Where who has no place to go on to is told as whom they are signed in. */
export const signInPath = '/sign-in/'

/** A path of this site, or that of the sign-in page in place of anything else. */
export function pathOf(text: string | undefined): string {
  return text !== undefined && isPath(text) ? text : signInPath
}

/** Browsers take `//` and `/\` for the begin of a host, and drop what cannot be seen before they look. */
const isPath = (text: string) =>
  text.length <= pathCharsMax && /^\/(?![/\\])[\x21-\x7e]*$/.test(text) && !text.includes('\\')

/** The sign-in page, which leads on to a path of this site. */
export const signInFor = (path: string): string =>
  `${signInPath}?next=${encodeURIComponent(pathOf(path))}`
