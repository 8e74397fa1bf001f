import type { KeyObject } from 'node:crypto'
import jwt from 'jsonwebtoken'
import { unauthenticated } from './errors.js'

export const userTokensPurpose = 'user tokens'

export function verifyAccessToken(token: string, key: KeyObject) {
  try {
    const claims = jwt.verify(token, key, { algorithms: ['HS256'] })
    if (typeof claims !== 'string' && claims.type === 'access' && claims.sub) {
      return { username: claims.sub, isStaff: claims.staff === true }
    }
  } catch {}
  throw unauthenticated('token_not_valid', 'the token is invalid or expired')
}
