export { readConfig as readGatewayConfig } from './config.js'
export { pageRoutes } from './pages/index.js'
export { type GatewayOptions, type RunningGateway, startGateway } from './start-gateway.js'
