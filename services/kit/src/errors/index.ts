export * from './errors.js'
export { validateAll } from './validate-all.js'
