import { generateKeyPairSync, randomUUID } from 'node:crypto'
import type { Client } from './client.js'

export interface SshKey {
  api_id: string
  name: string
  fingerprint: string
  is_default: boolean
  created_on: string
  public_key: string
}

/** The body of a request for a new key; each call returns a different key. */
export function sshKeyToSend(): { name: string; private_key: string } {
  const { privateKey } = generateKeyPairSync('ed25519')
  const private_key = String(privateKey.export({ type: 'pkcs8', format: 'pem' }))
  return { name: `key ${randomUUID()}`, private_key }
}

export async function newSshKey(me: Client, more: object = {}): Promise<SshKey> {
  return (await me.post<SshKey>('ssh_key/', { ...sshKeyToSend(), ...more })).body
}
