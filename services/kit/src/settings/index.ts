export {
  type PeerName,
  readDefaultVendor,
  readLogLevel,
  readPeerSettings,
  readProcessSettings,
  readRpcSettings,
  readRuntimeSettings,
  readServerCheckTimeout,
} from './runtime.js'
