export type SmtpServer = {
  host: string
  port: number
  /** TLS from the first byte, instead of STARTTLS. */
  secure: boolean
  encrypted: boolean
  user: string
  password: string
}

const defaultPorts: Record<string, number> = { 'smtp:': 587, 'smtps:': 465 }

/** Parses `smtp[s]://[user:password@]host[:port][?tls=none]`; undefined if invalid. */
export function parseSmtpUrl(text: string): SmtpServer | undefined {
  if (!URL.canParse(text)) return undefined
  const { protocol, hostname, port, username, password, pathname, search, hash } = new URL(text)
  const defaultPort = defaultPorts[protocol]
  const secure = protocol === 'smtps:'
  if (!defaultPort || !hostname || port === '0' || !['', '/'].includes(pathname) || hash) return
  if (Boolean(username) !== Boolean(password)) return undefined
  const encrypted = search !== '?tls=none'
  if (search && (encrypted || secure)) return undefined
  try {
    return {
      host: hostname.replace(/^\[(.*)\]$/, '$1'),
      port: port ? Number(port) : defaultPort,
      secure,
      encrypted,
      user: decodeURIComponent(username),
      password: decodeURIComponent(password),
    }
  } catch {
    return undefined
  }
}
