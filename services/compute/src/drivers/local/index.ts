export { createLocalDriver } from './local-driver.js'
export { type LocalSettings, readLocalSettings } from './settings.js'
