const bytesMax = 255

/** By the rules of `git check-ref-format --branch`. The problem is for users, and begins with a verb. */
export function branchProblem(branch: string): string | undefined {
  if (!branch) return 'must not be empty'
  if (Buffer.byteLength(branch) > bytesMax) return `must have at most ${bytesMax} bytes`
  if (branch.startsWith('-')) return 'must not begin with -'
  return isRefName(branch) ? undefined : 'is not a valid name of a branch'
}

const isRefName = (name: string) =>
  name !== '@' &&
  name !== 'HEAD' &&
  !/[\p{Cc}\p{Cs} ~^:?*[\\]|\.\.|@\{|\.$/u.test(name) &&
  name.split('/').every((part) => part && !part.startsWith('.') && !part.endsWith('.lock'))
