import { createSecretKey, hkdfSync, type KeyObject } from 'node:crypto'

/** Keys for different purposes, all derived from the installation's one secret. */
export type Keys = { derive(purpose: string): KeyObject }

export function keysFrom(secret: string): Keys {
  return {
    derive: (purpose) => createSecretKey(Buffer.from(hkdfSync('sha256', secret, '', purpose, 32))),
  }
}
