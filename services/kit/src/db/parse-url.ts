import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * Connection options of a database URL. With TLS, the server's certificate must match its host name and be signed
 * by a trusted authority (`sslrootcert`, else those of Node.js); only `no-verify` accepts any certificate. Throws
 * if the URL is invalid or names an unreadable file.
 */
export function parseDatabaseUrl(url: string): pg.ClientConfig {
  const mode = /[?&]sslmode=([^&]*)/.exec(url)?.[1]
  if (mode !== undefined && !tlsModes.includes(mode)) {
    throw new Error(`sslmode must be one of ${tlsModes.join(', ')}`)
  }
  // The library plans to verify less for these modes; Figbase keeps verifying fully.
  return parseIntoClientConfig(
    url.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full'),
  )
}
