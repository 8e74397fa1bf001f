export { isLanguageTag, languageFor, localeOf } from './language-tag.js'
export { parsedMessages } from './parsed-messages.js'
export { readMessages } from './read-messages.js'
