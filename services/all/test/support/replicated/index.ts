export { type Replicated, startReplicated } from './replicated.js'
export { type Servers, startServers, whyWithoutServers } from './servers.js'
