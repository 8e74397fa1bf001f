export { clientAddressOf } from './client-address.js'
export { AddressRefused, createOutboundAgent, readOutboundHosts } from './outbound.js'
