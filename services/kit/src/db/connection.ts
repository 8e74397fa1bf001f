import type pg from 'pg'
import { parseIntoClientConfig } from 'pg-connection-string'

const tlsModes = ['disable', 'require', 'verify-ca', 'verify-full', 'no-verify']

/**
 * What an address says, for a connection. With TLS the server must show a certificate for its host name of
 * an authority that is known (`sslrootcert`, else those of Node.js); only `no-verify` takes any. Throws
 * where it is malformed, or names a file that cannot be read.
 */
export function connectionOf(url: string): pg.ClientConfig {
  const mode = /[?&]sslmode=([^&]*)/.exec(url)?.[1]
  if (mode !== undefined && !tlsModes.includes(mode)) {
    throw new Error(`sslmode is one of ${tlsModes.join(', ')}`)
  }
  // The library warns that these will verify less some day. Here they never do.
  return parseIntoClientConfig(
    url.replace(/([?&]sslmode=)(require|verify-ca)(?=&|$)/, '$1verify-full'),
  )
}
