export { createFailPoint, storeWithFailPoints } from './fail-points.js'
