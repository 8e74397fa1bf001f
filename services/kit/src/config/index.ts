export { ConfigError, EnvReader, readSettings, type Setting, withoutCredentials } from './config.js'
export { formerNamesIn } from './former-names.js'
