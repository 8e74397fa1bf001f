import { generate } from 'selfsigned'
import type { RpcTls } from '../src/rpc/tls.js'

const dayMs = 86_400_000

export type Authority = { key: string; cert: string }

export async function createAuthority(name: string): Promise<Authority> {
  const made = await generate([{ name: 'commonName', value: name }], {
    keyType: 'ec',
    algorithm: 'sha256',
    extensions: [{ name: 'basicConstraints', cA: true, critical: true }],
  })
  return { key: made.private, cert: made.cert }
}

/** TLS files of a process that trusts the authority `trusted`; for 127.0.0.1. */
export async function createTls(
  ca: Authority,
  { trusted = ca, validForMs = dayMs }: { trusted?: Authority; validForMs?: number } = {},
): Promise<RpcTls> {
  const made = await generate([{ name: 'commonName', value: 'figbase' }], {
    keyType: 'ec',
    algorithm: 'sha256',
    ca,
    notBeforeDate: new Date(Date.now() - 2 * dayMs),
    notAfterDate: new Date(Date.now() + validForMs),
    extensions: [{ name: 'subjectAltName', altNames: [{ type: 7, ip: '127.0.0.1' }] }],
  })
  return {
    key: Buffer.from(made.private),
    cert: Buffer.from(made.cert),
    ca: Buffer.from(trusted.cert),
  }
}
