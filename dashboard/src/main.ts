import { mount } from "svelte";
import "./app.css";
import App from "./App.svelte";
import { languageOf, learn } from "./lib/words";

const language = languageOf(new URL(location.href).searchParams, navigator.languages);
void learn(language).then(() => mount(App, { target: document.getElementById("app")!, props: { language } }));
