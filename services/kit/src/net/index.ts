export { clientAddressOf } from './client-address.js'
export { fetchUntil } from './fetch-until.js'
export { freePort } from './free-port.js'
export { AddressRefused, createOutboundAgent, readOutboundHosts } from './outbound.js'
