window['SwaggerUIBundle']({
  url: '../v1/openapi.json',
  domNode: document.getElementById('reference'),
  deepLinking: true,
  validatorUrl: null,
})
