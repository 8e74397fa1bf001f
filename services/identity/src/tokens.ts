import {
  type IssuedToken,
  type KeyRing,
  signAccessToken,
  signRefreshToken,
  type TokenSubject,
  verifyRefreshToken,
} from '@figbase/kit'
import type { Config } from './config.js'
import type { UserRow } from './db/schema.js'

export type TokenIssuer = {
  pair(user: UserRow, options?: { remember: boolean }): { access: string; refresh: string }
  access(user: UserRow): string
  readRefresh(token: string): IssuedToken
}

/** Issues and reads users' tokens with the keys of one ring, made once. */
export function createTokenIssuer(ring: KeyRing, cfg: Config): TokenIssuer {
  const access = (user: UserRow) => signAccessToken(subjectOf(user), ring, cfg.accessTokenLifeMs)
  return {
    access,
    pair(user, { remember } = { remember: false }) {
      const lifeMs = remember ? cfg.rememberedRefreshTokenLifeMs : cfg.refreshTokenLifeMs
      return { access: access(user), refresh: signRefreshToken(subjectOf(user), ring, lifeMs) }
    },
    readRefresh: (token) => verifyRefreshToken(token, ring),
  }
}

const subjectOf = (user: UserRow): TokenSubject => ({
  username: user.username,
  isStaff: user.is_staff,
  generation: user.token_generation,
})
