export { clientAddressOf } from './client-address.js'
export { fetchUntil } from './fetch-until.js'
export { freePort } from './free-port.js'
export {
  AddressRefused,
  connectOutbound,
  createOutboundAgent,
  readOutboundHosts,
} from './outbound.js'
export { isPublicAddress } from './public-address.js'
