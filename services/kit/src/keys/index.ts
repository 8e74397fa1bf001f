export { type KeyRing, type Keys, keysFrom, readKeys } from './keys.js'
export { seal, unseal } from './sealed.js'
export { readToken, signToken } from './signed-token.js'
export {
  type IssuedToken,
  signAccessToken,
  signRefreshToken,
  signSessionToken,
  type TokenSubject,
  tokenNotValid,
  userTokenPurpose,
  verifyAccessToken,
  verifyRefreshToken,
  verifySessionToken,
} from './user-tokens.js'
