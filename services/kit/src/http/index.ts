export { type BoundedServerSettings, createBoundedServer } from './bounded-server.js'
export { createGracefulClose } from './graceful-close.js'
export { hasBody } from './has-body.js'
export { listen } from './listen.js'
