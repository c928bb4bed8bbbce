// Whoever is not signed in, or not any more, is told in a sentence, with the way in, and so is a service that cannot be
// reached. What was asked for waits meanwhile and is asked for again, so that nothing is lost; UI5 alone would drop it with
// “Communication error: 401”. A decision that had arrived nevertheless is not made twice: it names the version shown.
sap.ui.define(
  ['sap/m/Button', 'sap/m/Dialog', 'sap/m/Text', 'sap/ui/thirdparty/jquery'],
  (Button, Dialog, Text, jQuery) => {
    const UNAUTHORIZED = 401
    /** No answer, or that of a proxy before a service that is not there. */
    const UNREACHED = [0, 502, 504]
    let [waiting, wasSignedIn] = [undefined, false]

    // Loaded with the page: once the service is gone, nothing can be loaded any more that could tell so.
    const loaded = Promise.all([import('./texts.js'), import('./connection.js')])
    loaded.catch(() => {})

    /** Signing in takes place in a tab of its own. @returns whether to go on */
    async function ask() {
      const [{ texts }] = await loaded
      const { title, text, act } = wasSignedIn ? texts.session.ended : texts.session.unknown
      return new Promise((resolve) => {
        const go = () => {
          resolve(true)
          dialog.close()
        }
        const dialog = new Dialog({
          title,
          type: 'Message',
          state: 'Warning',
          content: new Text({ text }),
          beginButton: new Button({
            text: act,
            type: 'Emphasized',
            press: () => window.open(location.href),
          }),
          endButton: new Button({ text: texts.goOn, press: go }),
          afterClose() {
            resolve(false)
            dialog.destroy()
          },
        })
        dialog.open()
      })
    }

    /** However many calls were refused, one question is asked. */
    const signedIn = () => (waiting ??= ask().finally(() => (waiting = undefined)))

    async function isWorthAnother({ status, statusText }) {
      if (status === UNAUTHORIZED) return signedIn()
      if (!UNREACHED.includes(status) || statusText === 'abort') return false
      const [, { whenBack }] = await loaded
      await whenBack()
      return true
    }

    function outliving(options, asked, call) {
      const answer = jQuery.Deferred()
      call.done(answer.resolve, () => (wasSignedIn = true))
      // Nothing is returned: a refusal that is told to whoever asked would be told to nobody again.
      call.fail(async (...why) => {
        if (await isWorthAnother(call))
          jQuery.ajax(options.url, asked).then(answer.resolve, answer.reject)
        else answer.reject(...why)
      })
      answer.promise(call)
    }

    return {
      watch: () =>
        jQuery.ajaxPrefilter((options, asked, call) => {
          if (options.url.startsWith('/odata/')) outliving(options, asked, call)
        }),
    }
  },
)
