import { type Timestamp, timestampFromMs } from '@bufbuild/protobuf/wkt'
import {
  type IssuedToken,
  type KeyRing,
  signAccessToken,
  signRefreshToken,
  signSessionToken,
  type TokenSubject,
  verifyRefreshToken,
  verifySessionToken,
} from '@figbase/kit/keys'
import type { Config } from './config.js'
import type { Login } from './queries/users.js'

type Subject = Pick<Login, 'username' | 'is_staff' | 'token_generation'>

export type TokenIssuer = {
  pair(user: Subject, options?: { remember: boolean }): { access: string; refresh: string }
  access(user: Subject): string
  readRefresh(token: string): IssuedToken
  /** A browser session; each sign-in gets a new one. */
  session(user: Subject): { token: string; expiresOn: Timestamp }
  readSession(token: string): IssuedToken
}

/** Issues and verifies users' tokens with one key ring. */
export function createTokenIssuer(ring: KeyRing, cfg: Config): TokenIssuer {
  const access = (user: Subject) => signAccessToken(subjectOf(user), ring, cfg.accessTokenLifeMs)
  return {
    access,
    pair(user, { remember } = { remember: false }) {
      const lifeMs = remember ? cfg.rememberedRefreshTokenLifeMs : cfg.refreshTokenLifeMs
      return { access: access(user), refresh: signRefreshToken(subjectOf(user), ring, lifeMs) }
    },
    readRefresh: (token) => verifyRefreshToken(token, ring),
    session(user) {
      const token = signSessionToken(subjectOf(user), ring, cfg.sessionLifeMs)
      return { token, expiresOn: timestampFromMs(Date.now() + cfg.sessionLifeMs) }
    },
    readSession: (token) => verifySessionToken(token, ring),
  }
}

const subjectOf = (user: Subject): TokenSubject => ({
  username: user.username,
  isStaff: user.is_staff,
  generation: user.token_generation,
})
