import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { EnvReader } from './config.js'

/** A key, and the public name by which what it signed or sealed says so. */
export type NamedKey = { id: string; key: KeyObject }

/** The keys of one purpose: what signs and seals, and what is accepted besides. */
export type KeyRing = {
  current: NamedKey
  /** Undefined for an id that is none of ours. */
  find(id: string): NamedKey | undefined
  /** The current one first. */
  all: readonly NamedKey[]
}

/** Keys for different purposes, all derived from the installation's secrets. */
export type Keys = { derive(purpose: string): KeyRing }

const keyBytes = 32
/** Bytes of an id, which is in base64url. */
export const keyIdBytes = 8

/** `previous`: secrets that were current before; nothing is signed or sealed with them any more. */
export function keysFrom(secret: string, previous: readonly string[] = []): Keys {
  const secrets = [...new Set([secret, ...previous])]
  return {
    derive(purpose) {
      const current = named(secret, purpose)
      const all = [current, ...secrets.slice(1).map((other) => named(other, purpose))]
      const byId = new Map(all.map((one) => [one.id, one]))
      return { current, all, find: (id) => byId.get(id) }
    },
  }
}

/** The id is more of what the key is derived as: it tells of neither the key nor the secret. */
function named(secret: string, purpose: string): NamedKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes + keyIdBytes))
  return {
    key: createSecretKey(bytes.subarray(0, keyBytes)),
    id: bytes.subarray(keyBytes).toString('base64url'),
  }
}

/** The keys as the settings of a process have them. */
export const readKeys = (env: EnvReader): Keys =>
  keysFrom(
    env.required('FIGBASE_SECRET_KEY', 'the secret that all keys are derived from'),
    env.list('FIGBASE_SECRET_KEYS_PREVIOUS', 'secrets before it, which are accepted but not used'),
  )
