export type PathLimits = { pathDepthMax: number; pathBytesMax: number }

/** Why a path of a repository cannot be imported, for users; undefined if it can. */
export function pathProblem(
  path: string,
  { pathDepthMax, pathBytesMax }: PathLimits,
): string | undefined {
  if (Buffer.byteLength(path) > pathBytesMax) return `has a path of more than ${pathBytesMax} bytes`
  const names = path.split('/')
  if (names.length > pathDepthMax) return `is nested in more than ${pathDepthMax - 1} folders`
  if (path.includes('\\')) return 'has a backslash in its path'
  if (/[\p{Cc}\u2028\u2029]/u.test(path)) return 'has a control character in its path'
  if (names.some((name) => name === '' || name === '.' || name === '..'))
    return 'has an invalid path'
  if (names.some(isDotGit)) return 'has a path that is reserved for Git'
  return undefined
}

/** Characters that HFS+ ignores in names. */
const ignoredByHfs = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g

/** Also the forms that file systems of macOS and Windows take for `.git`. */
function isDotGit(name: string) {
  const plain = name.replace(ignoredByHfs, '').toLowerCase()
  return /^(\.git|git~\d+)[ .]*(:|$)/.test(plain)
}

/** Equal for paths that some file systems do not distinguish. */
export const foldedPath = (path: string): string => path.normalize('NFC').toLowerCase()

const lfsPattern = /^version https:\/\/(git-lfs\.github\.com|hawser\.github\.com)\/spec\//
/** The specification limits pointers to less than this. */
export const lfsPointerBytesMax = 1024

export const isLfsPointer = (content: Buffer): boolean =>
  lfsPattern.test(content.toString('latin1'))
