export { Html, html } from './html.js'
export { isContainer, membersOf, problemOfJson, withMembers } from './json-text.js'
export { checkedText, problemOfText } from './text.js'
