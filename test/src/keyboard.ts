import assert from 'node:assert/strict'
import type { Focused, Person } from '@figbase/kit/testing/chromium'
import { at } from './pages.js'

// More than any page has.
const stopsMax = 300
const optionsMax = 50

/** A person who uses the pages with the keyboard only. */
export interface KeyboardUser {
  go(path: string): Promise<void>
  /** Moves the focus forwards to an element with this name. */
  focus(role: Role, name: string | RegExp): Promise<void>
  /** Moves the focus to a field and types. */
  fill(name: string | RegExp, text: string): Promise<void>
  /** Moves the focus to a list of options and chooses one with the arrow keys. */
  choose(name: string | RegExp, option: RegExp): Promise<void>
  /** Moves the focus to an input for files and chooses files of this machine. */
  attach(name: string | RegExp, paths: string[]): Promise<void>
  /** Follows a link or presses a button that leads to another page. */
  follow(role: 'link' | 'button', name: string | RegExp): Promise<void>
  /** The text of the page. */
  text(): Promise<string>
  path(): Promise<string>
}

type Role = 'link' | 'button' | 'textbox' | 'checkbox' | 'combobox' | 'searchbox'

export function keyboardUser(person: Person): KeyboardUser {
  const focus = async (roles: Role[], name: string | RegExp) => {
    const seen: string[] = []
    const isRoundDone = () => seen.length > 1 && seen.lastIndexOf(seen[0] ?? '') > 0
    while (!isRoundDone() && seen.length < stopsMax) {
      await person.key('Tab')
      const focused = await person.focused()
      if (isIt(focused, roles, name)) return assert.ok(focused.isVisible, `${name} has no outline`)
      seen.push(`${focused.role} "${focused.name}"`)
    }
    const path = await person.read('location.pathname')
    assert.fail(`the Tab key does not reach ${roles[0]} "${name}" at ${path}: ${seen.join(', ')}`)
  }
  return {
    go: (path) => person.go(at(path)),
    focus: (role, name) => focus([role], name),
    async fill(name, text) {
      await focus(['textbox', 'searchbox'], name)
      await person.type(text)
    },
    async choose(name, option) {
      await focus(['combobox'], name)
      await person.key('Home')
      const chosen = 'document.activeElement.selectedOptions[0].textContent'
      for (let tries = 0; !option.test(String(await person.read(chosen))); tries++) {
        assert.ok(
          tries < optionsMax,
          `${name} has no option ${option}, but ${await person.read(chosen)}`,
        )
        await person.key('ArrowDown')
      }
    },
    async attach(name, paths) {
      await focus(['button'], name)
      await person.choose(paths)
    },
    async follow(role, name) {
      await focus([role], name)
      await person.arrive(() => person.key('Enter'))
    },
    text: async () => String(await person.read('document.body.innerText')),
    path: async () => String(await person.read('location.pathname + location.search')),
  }
}

const isIt = (focused: Focused, roles: Role[], name: string | RegExp) =>
  roles.includes(focused.role as Role) &&
  (typeof name === 'string' ? focused.name === name : name.test(focused.name))
