import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'
import type { EnvReader } from '../config/config.js'

/** A key and its public id, which is part of everything signed or sealed with it. */
export type NamedKey = { id: string; key: KeyObject }

/** The keys of one purpose: the current one, and previous ones that are still accepted. */
export type KeyRing = {
  current: NamedKey
  /** Undefined for an unknown id. */
  find(id: string): NamedKey | undefined
  /** The current one first. */
  all: readonly NamedKey[]
}

/** Keys by purpose, derived from the installation's secrets. */
export type Keys = { derive(purpose: string): KeyRing }

const keyBytes = 32
/** Length of an id before its base64url encoding. */
export const keyIdBytes = 8

/** `previous`: earlier secrets, which only verify and open. */
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

/** The id is further output of the key derivation, so it reveals neither key nor secret. */
function named(secret: string, purpose: string): NamedKey {
  const bytes = Buffer.from(hkdfSync('sha256', secret, '', purpose, keyBytes + keyIdBytes))
  return {
    key: createSecretKey(bytes.subarray(0, keyBytes)),
    id: bytes.subarray(keyBytes).toString('base64url'),
  }
}

/** Reads the keys from the settings. */
export const readKeys = (env: EnvReader): Keys =>
  keysFrom(
    env.required('FIGBASE_SECRET_KEY', 'secret from which all keys are derived'),
    env.list(
      'FIGBASE_SECRET_KEYS_PREVIOUS',
      'previous secrets, comma-separated: still accepted, not used for new tokens or values',
    ),
  )
