export { Installation, replicasIn } from './installation.js'
