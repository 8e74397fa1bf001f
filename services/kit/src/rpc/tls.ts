import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { createSecureContext } from 'node:tls'
import type { EnvReader } from '../config/config.js'

/** PEM: the certificate and key of this process, and the authorities that it trusts. */
export type RpcTls = { cert: Buffer; key: Buffer; ca: Buffer }

/** Undefined if none of the three settings is set: no TLS. */
export function readRpcTls(env: EnvReader): RpcTls | undefined {
  const files = {
    RPC_TLS_CERT_FILE: env.text(
      'RPC_TLS_CERT_FILE',
      '',
      'certificate (PEM) of a service, as RPC server and client; empty: no TLS',
    ),
    RPC_TLS_KEY_FILE: env.text('RPC_TLS_KEY_FILE', '', 'private key (PEM) of the certificate'),
    RPC_TLS_CA_FILE: env.text(
      'RPC_TLS_CA_FILE',
      '',
      'certificate authority (PEM) of all services and gRPC clients',
    ),
  }
  if (Object.values(files).every((path) => path === '')) return undefined
  const { length } = env.problems
  const read = (name: keyof typeof files) => readPem(env, name, files[name])
  const tls = {
    cert: read('RPC_TLS_CERT_FILE'),
    key: read('RPC_TLS_KEY_FILE'),
    ca: read('RPC_TLS_CA_FILE'),
  }
  if (env.problems.length === length) env.problems.push(...problemsOf(tls))
  return tls
}

function readPem(env: EnvReader, name: string, path: string): Buffer {
  if (path === '') {
    env.problems.push(`${name} is required: set all three RPC_TLS_… settings or none`)
    return Buffer.alloc(0)
  }
  try {
    return readFileSync(path)
  } catch (error) {
    env.problems.push(`${name}: ${messageOf(error)}`)
    return Buffer.alloc(0)
  }
}

function problemsOf({ cert, key, ca }: RpcTls): string[] {
  const problems: string[] = []
  const attempt = (name: string, work: () => unknown) => {
    try {
      work()
    } catch (error) {
      problems.push(`${name}: ${messageOf(error)}`)
    }
  }
  attempt('RPC_TLS_CERT_FILE', () => {
    const { validTo } = new X509Certificate(cert)
    if (Date.parse(validTo) < Date.now()) throw new Error(`certificate expired on ${validTo}`)
    createSecureContext({ cert })
  })
  attempt('RPC_TLS_CA_FILE', () => new X509Certificate(ca))
  if (problems.length === 0) attempt('RPC_TLS_KEY_FILE', () => createSecureContext({ cert, key }))
  return problems
}

const messageOf = (error: unknown) => (error instanceof Error ? error.message : String(error))
