/** `*` and `?` match within a folder, `**` also across folders. */
type Token = { any: 'name' | 'path' | 'character' } | { text: string }

/**
 * Whether one of the patterns matches the path. A pattern of a folder matches everything below it; one without a slash
 * matches in every folder. It takes at most the product of both lengths in steps, unlike a regular expression, because
 * patterns and paths come from users.
 */
export const matchesAny = (patterns: string[], path: string): boolean =>
  patterns.some((pattern) => matches(pattern, path))

function matches(pattern: string, path: string): boolean {
  const bare = pattern.replace(/^\/|\/$/g, '')
  const anchored = pattern.replace(/\/$/, '').includes('/') ? bare : `**/${bare}`
  return isMatch(tokensOf(anchored), path) || isMatch(tokensOf(`${anchored}/**`), path)
}

function tokensOf(pattern: string): Token[] {
  return pattern
    .split(/(\*\*\/|\*\*|\*|\?)/)
    .filter((part) => part !== '')
    .map((part) => {
      if (part === '**/' || part === '**') return { any: 'path' }
      if (part === '*') return { any: 'name' }
      return part === '?' ? { any: 'character' } : { text: part }
    })
}

/** Keeps the positions of the path up to which the tokens so far match. */
function isMatch(tokens: Token[], path: string): boolean {
  let ends = new Set([0])
  for (const [index, token] of tokens.entries()) {
    const next = new Set<number>()
    // `**/` stands for whole folders.
    const isWhole = 'any' in token && token.any === 'path' && index < tokens.length - 1
    let reached = -1
    for (const at of [...ends].sort((a, b) => a - b)) {
      if ('text' in token) {
        if (path.startsWith(token.text, at)) next.add(at + token.text.length)
      } else if (token.any === 'character') {
        if (at < path.length && path[at] !== '/') next.add(at + 1)
      } else {
        for (let end = Math.max(at, reached); end <= path.length; end++) {
          if (!isWhole || end === at || path[end - 1] === '/') next.add(end)
          reached = end
          if (token.any === 'name' && path[end] === '/') break
        }
      }
    }
    ends = next
  }
  return ends.has(path.length)
}
