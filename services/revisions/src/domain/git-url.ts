/** The address of a Git repository of somebody else. */
export type GitUrl = {
  protocol: 'https' | 'ssh'
  /** An IPv6 address has no brackets. */
  host: string
  port: number
  /** For Git; it names a port only with https. */
  address: string
}

const charsMax = 1000
const httpsPort = 443
const sshPort = 22
const userPattern = /^[a-z\d_][\w.-]{0,63}$/i
const host = String.raw`\[[\da-f:.]+\]|[^\s:/@[\]]+`
const sshPattern = new RegExp(`^ssh://(?:([^@/]*)@)?(${host})(?::(\\d{1,5}))?/(.+)$`, 'i')
const scpPattern = new RegExp(`^([^@:/]+)@(${host}):([^:].*)$`, 'i')

/** `https://…`, `ssh://…` or `user@host:path`. The problem is for users, and begins with a verb. */
export function parseGitUrl(text: string): GitUrl | { problem: string } {
  if (text.length > charsMax) return { problem: `must have at most ${charsMax} characters` }
  if (/[\p{Cc}\p{Cf}\p{Z}\\]/u.test(text)) {
    return { problem: 'must not contain spaces, control characters or backslashes' }
  }
  if (/^https:\/\//i.test(text)) return parseHttps(text)
  if (/^ssh:\/\//i.test(text)) return parseSsh(text)
  if (!text.includes('://')) return parseScp(text)
  return { problem: notAddress }
}

const notAddress = 'must be https://host/path, ssh://user@host/path or user@host:path'

function parseHttps(text: string): GitUrl | { problem: string } {
  if (!URL.canParse(text)) return { problem: notAddress }
  const url = new URL(text)
  if (url.username || url.password) {
    return { problem: 'must not contain a user name or a password; use the token' }
  }
  if (/[?#]/.test(text)) return { problem: 'must not contain ? or #' }
  if (url.pathname === '/' || !isHost(url.hostname)) return { problem: notAddress }
  return {
    protocol: 'https',
    host: withoutBrackets(url.hostname),
    port: Number(url.port || httpsPort),
    address: `https://${url.host}${url.pathname}`,
  }
}

function parseSsh(text: string): GitUrl | { problem: string } {
  const [, user = 'git', host = '', port, path = ''] = sshPattern.exec(text) ?? []
  return toSsh(user, host, Number(port ?? sshPort), path, (user, host) => `ssh://${user}@${host}/`)
}

function parseScp(text: string): GitUrl | { problem: string } {
  const [, user = '', host = '', path = ''] = scpPattern.exec(text) ?? []
  return toSsh(user, host, sshPort, path, (user, host) => `${user}@${host}:`)
}

function toSsh(
  user: string,
  host: string,
  port: number,
  path: string,
  prefix: (user: string, host: string) => string,
): GitUrl | { problem: string } {
  if (user.includes(':')) return { problem: 'must not contain a password; use the private key' }
  // Git decodes percent signs here.
  if (path.includes('%')) return { problem: 'must not contain %' }
  if (!userPattern.test(user) || path.startsWith('-') || port < 1) return { problem: notAddress }
  if (!URL.canParse(`https://${host}:${port}`)) return { problem: notAddress }
  const { hostname } = new URL(`https://${host}`)
  if (!isHost(hostname)) return { problem: notAddress }
  return {
    protocol: 'ssh',
    host: withoutBrackets(hostname),
    port,
    address: `${prefix(user, hostname)}${path}`,
  }
}

/** Characters that neither Git nor ssh takes for an option, a wildcard or a variable. */
const isHost = (hostname: string) => /^(\[[\da-f:.]+\]|[a-z\d_]([a-z\d_.-]{0,253}))$/.test(hostname)

const withoutBrackets = (hostname: string) => hostname.replace(/^\[|\]$/g, '')
