export { type ReadApiKey, readApiKeyWith } from './api-key.js'
export { type CredentialReaders, readAuthorization } from './authorization.js'
export {
  actAs,
  actAsSystem,
  callerAddress,
  forward,
  forwardDetached,
  keyedRequest,
  onlyWorkspace,
  principal,
  requestId,
  requireSignIn,
  requireStaff,
  requireSystem,
  requireUnbound,
  requireUser,
  setKeyedRequest,
} from './call.js'
export { readCallSettings } from './call-settings.js'
export { checkPeer, type PeerState } from './check-peer.js'
export { type ReadExternalToken, readExternalTokenWith } from './external-token.js'
export { clientInterceptor } from './interceptors.js'
export { hasKeyAccess, requireKeyAccess } from './key-access.js'
export { lazyClient } from './lazy-client.js'
export { withOwnCall } from './own-call.js'
export { peerNameOf, peerSettingOf } from './peer-name.js'
export { connectPeers } from './peers.js'
export { anonymous, system, user } from './principal.js'
export { createSiteReader, type ReadSite, type Site, toSite } from './site.js'
