// How the app shows what srv/buyer offers, an area a file.
using from './annotations/proposals';
using from './annotations/proposal-page';
using from './annotations/decisions';
using from './annotations/blocked';
using from './annotations/value-helps';
