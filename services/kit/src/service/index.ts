export { Lifecycle } from '../lifecycle/lifecycle.js'
export { type ComposeOptions, type Composition, compose } from './compose.js'
export { type OpenData, openData, SchemaOutdated } from './open-data.js'
export { internalKeyPurpose } from './rpc-server.js'
export { type RunningProcess, runProcess } from './run-process.js'
export { serve, startServing } from './serve.js'
export {
  defineService,
  type Kit,
  type Periodic,
  type Service,
  type ServiceDefinition,
} from './service.js'
