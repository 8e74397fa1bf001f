import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '@figbase/kit/config'
import { readConfig } from '../config.js'
import { cookie, readCookie } from './cookies.js'

const plain = readSettings({}, readConfig)
const secure = readSettings({ PUBLIC_URL: 'https://figbase.example.org' }, readConfig)

test('binds cookies to HTTPS and to the host if the public URL uses HTTPS', () => {
  assert.equal(
    cookie('session', secure, 'a.b-c_d', 60),
    '__Host-figbase-session=a.b-c_d; Path=/; HttpOnly; SameSite=Lax; Max-Age=60; Secure',
  )
  assert.equal(
    cookie('session', plain, 'a', 60),
    'figbase-session=a; Path=/; HttpOnly; SameSite=Lax; Max-Age=60',
  )
  assert.match(cookie('sign-in', plain), /^figbase-sign-in=; .*Max-Age=0$/)
})

test('reads one cookie among others, and with HTTPS none that another host could have set', () => {
  const sent = { cookie: 'x=1; xfigbase-session=2; figbase-session=3;  figbase-sign-in=4=5' }
  assert.equal(readCookie(sent, 'session', plain), '3')
  assert.equal(readCookie(sent, 'sign-in', plain), '4=5')
  assert.equal(readCookie(sent, 'session', secure), undefined)
  assert.equal(readCookie({ cookie: '__Host-figbase-session=6' }, 'session', secure), '6')
  for (const headers of [{}, { cookie: '' }, { cookie: 'figbase-session' }]) {
    assert.equal(readCookie(headers, 'session', plain), undefined)
  }
})
