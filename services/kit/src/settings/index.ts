export { readAiModels } from './ai.js'
export { type BillingProviderName, readBillingProvider } from './billing.js'
export { type ComputeDriverName, readComputeDriver } from './compute.js'
export { readKeyRetention } from './keyed.js'
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
